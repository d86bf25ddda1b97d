// Package readcard is for clients that draw a read as code, with numbers and
// colours, instead of printing it: the lines of an answer travel beside its
// text, in the _meta of an MCP result.
//
// A server projects a [readfile.Result] to a [Window] and sends both, as
// [ToolResult] does. A client takes the window out of what was sent or stored
// with [Narrow], which takes nothing on trust, or the whole card with
// [Present]. Where there is no card, the client shows the text.
//
// A window has whole lines. An answer that is the beginning of one long line
// has a window without lines, from the offset that was asked for; the rest of
// that line, read on with start_column, has none.
//
// [Read] is the tool that goes with it: it answers in an envelope, for clients
// that know it,
//
//	<path>app.log</path>
//	<type>file</type>
//	<content>
//	12: text
//	</content>
//
// which Present takes off. The package needs no MCP SDK.
package readcard
