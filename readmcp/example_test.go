package readmcp_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readfile"
	"excerpt/readmcp"
)

// A server of its own for a folder of logs.
func Example() {
	root, err := os.OpenRoot("/srv/logs")
	if err != nil {
		log.Fatal(err)
	}
	files, err := readfile.New(root, nil)
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "logs", Version: "1.0.0"}, nil)
	if err := readmcp.AddTools(server, files, nil); err != nil {
		log.Fatal(err)
	}
	log.Fatal(server.Run(context.Background(), readmcp.NewTransport(os.Stdin, os.Stdout)))
}

func ExampleAddTools() {
	files, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{
		"logs": fstest.MapFS{"app.log": {Data: []byte("one\ntwo\nthree\n")}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "logs", Version: "1.0.0"}, nil)
	if err := readmcp.AddTools(server, files, &readmcp.Options{Tools: []string{"read_file", "read"}}); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, ours, nil); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": "logs/app.log", "tail": 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(result.Content[0].(*mcp.TextContent).Text)
	// Output:
	// two
	// three
}

func ExampleNewTransport() {
	server := mcp.NewServer(&mcp.Implementation{Name: "logs", Version: "1.0.0"}, nil)
	if err := server.Run(context.Background(), readmcp.NewTransport(os.Stdin, os.Stdout)); err != nil {
		log.Fatal(err)
	}
}
