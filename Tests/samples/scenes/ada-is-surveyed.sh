# Ada's app can show surveys.
ada_talks_closes_her_dialog_and_answers() {
    consumer ada arrives with everything , subscribes , opens , follows , says Hallo , closes , surveyed , says Yes , says 'Nice people' , is_done
}
