// Package readmcp puts the tools of packages readfile and readcard on an MCP
// server of the official SDK.
//
// [AddTools] adds them to a server, which can have others beside. Every refusal
// is a result of a tool, with isError, and no error of the protocol: a model
// sees it and can act on it. A long scan reports its progress to a client that
// asks for it, and stops when the client cancels the call.
//
// [NewTransport] is standard input and output for such a server. Unlike that of
// the SDK it stays alive whatever comes in: a message that is none is answered
// with an error, and the next one is read.
package readmcp
