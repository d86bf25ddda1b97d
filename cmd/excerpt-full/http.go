package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/cmd/internal/command"
)

const (
	largestBody = 1 << 20 // bytes of a request
	bodyTime    = 30 * time.Second
	idle        = time.Hour // after which a session is forgotten
	stateless   = "2026-07-28"
)

// serveHTTP serves streamable HTTP until the context ends.
func serveHTTP(ctx context.Context, server *mcp.Server, s *command.MCP) error {
	address, err := s.Address()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	say("serving http://%s/mcp", listener.Addr())
	web := &http.Server{
		Handler:           handler(server),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer ended()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler has two ways. Clients of the protocol before 2026-07-28 have
// sessions: without one, a call could not be cancelled, nor the client be
// known. Later ones have none, and cancel a call by going away.
func handler(server *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		SessionTimeout: idle, MaxRequestBodyBytes: largestBody,
	})
	requests := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: largestBody,
	})
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= stateless {
			requests.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
	return http.NewCrossOriginProtection().Handler(bodyWithin(bodyTime, valid(mux)))
}

// bodyWithin bounds how long a body takes to come, and not how long its answer
// does.
func bodyWithin(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // a GET listens for as long as it likes
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limit))
		}
		next.ServeHTTP(w, r)
	})
}

// valid refuses bodies that are not JSON, in words that a client can act on: the
// SDK would send those of its decoder.
func valid(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
			switch {
			case errors.As(err, new(*http.MaxBytesError)):
				http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
				return
			case errors.Is(err, os.ErrDeadlineExceeded):
				http.Error(w, "the request took too long to come", http.StatusRequestTimeout)
				return
			case err != nil:
				http.Error(w, "the request broke off", http.StatusBadRequest)
				return
			case !json.Valid(body):
				http.Error(w, "the request is not valid JSON", http.StatusBadRequest)
				return
			}
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // or it would end the answer
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}
