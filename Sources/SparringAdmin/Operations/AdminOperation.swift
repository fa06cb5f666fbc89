/// The operations of the admin API; raw values are the operationIds of `contracts/admin.openapi.yaml`.
enum AdminOperation: String, CaseIterable, Sendable {
    case drain, cancelDrain
    case readHealth, readVersion, readMetrics, readCertificateAuthority, readCertificateProfile, readSchema, listUnplaced, clearUnplaced
    case listScenarios, readScenario
    case createSandbox, listSandboxes, readSandbox, deleteSandbox, resetSandbox, forkSandbox, playScenario, stopScenario
    case readTenant, changeTenant, rotateKeys
    case readClock, setClock, advanceClock, waitForClock
    case armFault, listFaults, clearFaults, readFault, removeFault, listEffects, planFaults
    case addStub, listStubs, answerStub, removeStub
    case readJournal, clearJournal, waitForJournal, readJournalEntry, exportEntry, streamJournal, resendEntry, readPast
    case listSockets, endSocket
    case mintCredential
    case listOperations, readOperation, readCommand, act
    case listDevices, notifyDevice, renewDeviceToken, listNotifications, waitForNotifications, streamNotifications, readNotification,
        readSimulatorFile
    case listConversations, listConsumers
    case listRules, mark, judge
    case openPage, openSandboxPage, readPageFile
}
