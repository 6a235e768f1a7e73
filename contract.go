// Package cruel holds the contract of the HTTP API, openapi.yaml, for the programs that serve or test it.
package cruel

import _ "embed"

// Contract is openapi.yaml, as it is in the repository.
//
//go:embed openapi.yaml
var Contract []byte
