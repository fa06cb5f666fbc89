// A vendor imports the kit alone: what it is made of comes along.
@_exported public import GRDB
@_exported public import HTTPTypes
@_exported public import SparringContract
@_exported public import SparringEngine
@_exported public import SparringJSON
@_exported public import SparringJournal
@_exported public import SparringPattern
@_exported public import SparringSandbox
@_exported public import SparringTokens
