// Package api answers over HTTP: it translates, authorises and answers, and knows nothing of the game.
//
// openapi.yaml is the contract and comes first; api.gen.go is made from it by `make generate`. A request
// passes, in this order: its id and log line, the recovery from a panic, the cross-origin headers, the rate
// limit of its address, the access token, the body, the contract, and then one handler of about ten lines,
// which calls one verb of a service. Every error becomes a problem document in one table (problem.go).
//
// It refuses what the contract doesn't say: unknown fields and parameters, duplicate fields, bytes after
// the value, compressed and large bodies. Its promise: no answer depends on anything that a client claims
// about a game but its log.
package api

//go:generate go tool oapi-codegen -config oapi-codegen.yaml ../openapi.yaml
