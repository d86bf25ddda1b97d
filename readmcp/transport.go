package readmcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	longest = 4 << 20          // bytes of a message; what is longer is answered with an error
	waiting = 256              // calls without an answer, before no more is read
	grace   = 10 * time.Second // for answers that are due when the input ends
	parting = time.Second      // for those that are being written when the context ends
)

// NewTransport returns a transport by lines of JSON, for one session of a
// server, which closes r and w when it ends. At the end of r, the calls that
// are under way are still answered, for some seconds. It ends with the context
// that it was connected with, also if nobody reads from w: a Write that does
// not return is left behind.
func NewTransport(r io.ReadCloser, w io.WriteCloser) mcp.Transport { return &transport{r, w} }

type transport struct {
	r io.ReadCloser
	w io.WriteCloser
}

func (t *transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &conn{
		transport: t,
		incoming:  make(chan jsonrpc.Message), ended: make(chan struct{}), closed: make(chan struct{}),
		writing: make(chan struct{}, 1), over: make(chan struct{}),
		due: map[jsonrpc.ID]bool{},
	}
	c.changed.L = &c.mu
	context.AfterFunc(ctx, func() { time.AfterFunc(parting, c.stop) })
	go c.receive()
	return c, nil
}

type conn struct {
	*transport
	incoming chan jsonrpc.Message
	ended    chan struct{} // nothing comes in any more

	closing sync.Once
	closed  chan struct{}

	writing  chan struct{} // holds one while something is written
	stopping sync.Once
	over     chan struct{} // nothing is written any more: closed, or grace is over

	mu      sync.Mutex
	changed sync.Cond
	due     map[jsonrpc.ID]bool // calls that were read and not answered
	refused int                 // refusals that were not written
}

func (c *conn) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.incoming:
		return msg, nil
	case <-c.ended:
	case <-c.closed:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return nil, io.EOF
}

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, isResponse := msg.(*jsonrpc.Response)
	data, err := encode(msg)
	if err != nil {
		return err
	}
	err = c.send(data)
	if isResponse {
		c.mu.Lock()
		delete(c.due, response.ID)
		c.mu.Unlock()
		c.changed.Broadcast()
	}
	return err
}

// encode returns the JSON of a message. The SDK's encoder would look at each
// byte of a result once more: a third of the time of an answer.
func encode(msg jsonrpc.Message) ([]byte, error) {
	response, ok := msg.(*jsonrpc.Response)
	if !ok || response.Error != nil || response.Result == nil {
		return jsonrpc.EncodeMessage(msg)
	}
	id, err := json.Marshal(response.ID.Raw())
	if err != nil {
		return nil, err
	}
	const start, middle, end = `{"jsonrpc":"2.0","id":`, `,"result":`, "}"
	b := make([]byte, 0, len(start)+len(id)+len(middle)+len(response.Result)+len(end)+1)
	b = append(append(append(b, start...), id...), middle...)
	return append(append(b, response.Result...), end...), nil
}

// send writes a line. A Write may last as long as the client does not read, and
// nothing ends it, so that it is on a goroutine of its own.
func (c *conn) send(line []byte) error {
	select {
	case c.writing <- struct{}{}:
	case <-c.over:
		return io.ErrClosedPipe
	}
	written := make(chan error, 1)
	go func() {
		_, err := c.w.Write(append(line, '\n'))
		<-c.writing
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-c.over:
		return io.ErrClosedPipe
	}
}

// Close implements [mcp.Connection].
func (c *conn) Close() (err error) {
	c.closing.Do(func() {
		close(c.closed)
		c.stop()
		err = errors.Join(c.r.Close(), c.w.Close())
	})
	return err
}

// stop lets nobody wait any more, for answers or for a client to read them.
func (c *conn) stop() {
	c.stopping.Do(func() {
		c.mu.Lock()
		close(c.over)
		c.mu.Unlock()
		c.changed.Broadcast()
	})
}

func (c *conn) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// receive reads lines until there are no more, or the connection is closed.
func (c *conn) receive() {
	defer close(c.ended)
	in := bufio.NewReaderSize(c.r, 64<<10)
	for {
		line, err := readLine(in)
		switch {
		case errors.Is(err, errTooLong):
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "the message is too long")
		case len(line) > 0:
			c.take(line)
		}
		if err != nil && !errors.Is(err, errTooLong) {
			break
		}
		select {
		case <-c.closed:
			return
		default:
		}
	}
	defer time.AfterFunc(grace, c.stop).Stop()
	c.await(0)
}

// await waits until at most so many calls and refusals have no answer.
func (c *conn) await(most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.due)+c.refused > most && !c.isOver() {
		c.changed.Wait()
	}
}

// take passes on the message in a line, or the messages of a batch, or answers
// that there is none.
func (c *conn) take(line []byte) {
	// encoding/json would take what is not UTF-8.
	if !utf8.Valid(line) || !json.Valid(line) {
		c.refuse(nil, jsonrpc.CodeParseError, "the message is not valid JSON")
		return
	}
	messages := []json.RawMessage{line}
	if line[0] == '[' {
		_ = json.Unmarshal(line, &messages)
	}
	if len(messages) == 0 {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
	}
	for _, data := range messages {
		msg, err := jsonrpc.DecodeMessage(data)
		if err != nil {
			c.refuse(idOf(data), jsonrpc.CodeInvalidRequest, "the message is no JSON-RPC 2.0 request")
			continue
		}
		if call, ok := msg.(*jsonrpc.Request); ok && call.IsCall() {
			c.await(waiting - 1)
			c.mu.Lock()
			c.due[call.ID] = true
			c.mu.Unlock()
		}
		select {
		case c.incoming <- msg:
		case <-c.closed:
			return
		}
	}
}

// idOf returns the id of what is no message, but has a method and the id of a
// request, or nil.
func idOf(data json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(data, &o) != nil || o["method"] == nil {
		return nil
	}
	id := o["id"]
	if len(id) > 0 && (id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9') {
		return id
	}
	return nil
}

// refuse answers what is no message. It does not wait for the client to read
// that: the end of the input is to be seen.
func (c *conn) refuse(id json.RawMessage, code int64, text string) {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text},
	})
	if err != nil {
		return
	}
	c.await(waiting - 1)
	c.mu.Lock()
	c.refused++
	c.mu.Unlock()
	go func() {
		_ = c.send(line)
		c.mu.Lock()
		c.refused--
		c.mu.Unlock()
		c.changed.Broadcast()
	}()
}

var errTooLong = errors.New("line too long")

// readLine returns a line without spaces around it. Of one that is too long,
// nothing is kept.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > longest {
			long, line = true, nil
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == nil && long:
			return nil, errTooLong
		case long:
			return nil, err
		}
		return bytes.TrimSpace(line), err
	}
}
