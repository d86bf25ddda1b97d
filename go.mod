module excerpt

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/jessevdk/go-flags v1.6.1
	github.com/pkg/profile v1.6.0
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	pgregory.net/rapid v1.3.0
)

require golang.org/x/tools v0.52.1-0.20261106145633-d407941a339a // indirect
