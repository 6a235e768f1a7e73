package api

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

// maxBody is the size of the largest body that is read, in bytes.
const maxBody = 64 << 10

// readBody reads the body of an operation that has one, whole, and refuses what isn't one plain JSON value.
func (s *server) readBody(c *gin.Context) {
	call := callOf(c)
	if call.route.op == nil || call.route.op.RequestBody == nil {
		return
	}
	body, err := readJSON(c.Request)
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			c.Header("Connection", "close")
			err = &problemError{kind: tooLarge, detail: "a body has at most 64 KiB"}
		}
		s.writeProblem(c, err)
		return
	}
	call.arrived = s.now()
	call.bodyHash = sha256.Sum256(body)
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
}

func readJSON(r *http.Request) ([]byte, error) {
	if len(r.Header.Values("Content-Type")) > 1 || len(r.Header.Values("Content-Encoding")) > 1 {
		return nil, &problemError{kind: unsupported, detail: "a header that says what the body is comes twice"}
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, &problemError{kind: unsupported, detail: "compressed bodies aren't taken"}
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return nil, &problemError{kind: unsupported, detail: "send Content-Type: application/json, in UTF-8"}
	}
	if r.ContentLength > maxBody {
		return nil, &http.MaxBytesError{Limit: maxBody}
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return nil, err
		}
		return nil, wrongField("body", "it was cut off")
	}
	return body, plainJSON(body)
}

// plainJSON refuses all that two readers could understand differently: duplicate names, invalid UTF-8,
// lone surrogates, NUL, a second value.
func plainJSON(body []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return jsonError(err)
		}
		if token.Kind() == '"' && strings.ContainsRune(token.String(), 0) {
			return wrongField(fieldOf(d.StackPointer()), "has a NUL character")
		}
		if d.StackDepth() == 0 && (token.Kind() != '{' && token.Kind() != '[') {
			return oneValue(d)
		}
	}
}

// oneValue refuses anything after the top-level value.
func oneValue(d *jsontext.Decoder) error {
	switch _, err := d.ReadToken(); {
	case err == nil:
		return wrongField("body", "has more than one JSON value")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return wrongField("body", "has something after the JSON value")
	}
}

func jsonError(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax) && errors.Is(syntax.Err, jsontext.ErrDuplicateName):
		return wrongField(fieldOf(syntax.JSONPointer), "is there twice")
	case errors.As(err, &syntax) && errors.Is(syntax.Err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrUnexpectedEOF):
		return wrongField("body", "the JSON is cut off")
	case errors.As(err, &syntax):
		return wrongField(fieldOf(syntax.JSONPointer), fmt.Sprintf("isn't JSON: %s, at byte %d", syntax.Err, syntax.ByteOffset))
	}
	return wrongField("body", "isn't JSON")
}

// fieldOf names the field of a pointer into the body: "/log" is log, the whole is body.
func fieldOf(p jsontext.Pointer) string {
	if name := strings.TrimPrefix(string(p), "/"); name != "" {
		return short(name)
	}
	return "body"
}

// short bounds what is said back of what the client sent.
func short(text string) string {
	return cut(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text), 60)
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// check holds the request against the contract.
func (s *server) check(c *gin.Context) {
	route := callOf(c).route
	if route.op == nil {
		return
	}
	if err := checkURL(c.Request.URL, route.op); err != nil {
		s.writeProblem(c, err)
		return
	}
	params := map[string]string{}
	for _, p := range c.Params {
		params[p.Key] = p.Value
	}
	err := openapi3filter.ValidateRequest(c.Request.Context(), &openapi3filter.RequestValidationInput{
		Request: c.Request, PathParams: params,
		Route: &routers.Route{Spec: route.spec, Path: route.path, PathItem: route.item, Method: c.Request.Method, Operation: route.op},
		Options: &openapi3filter.Options{
			MultiError: true, SkipSettingDefaults: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, // authorise has done it
		},
	})
	if err != nil {
		s.writeProblem(c, contractError(err))
	}
}

// checkURL refuses characters that no database keeps and parameters that the operation doesn't have or
// that come twice.
func checkURL(u *url.URL, op *openapi3.Operation) error {
	if strings.ContainsRune(u.Path, 0) || !utf8.ValidString(u.Path) {
		return wrongField("path", "has characters that can't be part of it")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return wrongField("query", "isn't well formed")
	}
	for name, values := range query {
		switch {
		case op.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) == nil:
			return wrongField(short(name), "isn't a parameter of this operation")
		case len(values) > 1:
			return wrongField(name, "is there twice")
		case strings.ContainsRune(values[0], 0) || !utf8.ValidString(values[0]):
			return wrongField(name, "has characters that can't be part of it")
		}
	}
	return nil
}

// contractError tells the client in short what the contract's validator found.
func contractError(err error) error {
	var fields []fieldError
	collectFields(err, "", &fields)
	fields = fields[:min(len(fields), 20)] // a body has room for thousands that are wrong
	if len(fields) == 0 {
		fields = []fieldError{{"body", "isn't what the contract says"}}
	}
	return &problemError{kind: badRequest, detail: fields[0].Field + ": " + fields[0].Message, fields: fields}
}

// collectFields walks the validator's errors; param is the parameter that they are about, if one is.
func collectFields(err error, param string, fields *[]fieldError) {
	switch e := err.(type) {
	case openapi3.MultiError:
		for _, one := range e {
			collectFields(one, param, fields)
		}
	case *openapi3filter.RequestError:
		if e.Parameter != nil {
			param = e.Parameter.Name
		}
		before := len(*fields)
		if e.Err != nil {
			collectFields(e.Err, param, fields)
		}
		if len(*fields) > before {
			return
		}
		switch {
		case errors.Is(e.Err, openapi3filter.ErrInvalidRequired) && param == "":
			*fields = append(*fields, fieldError{"body", "is missing"})
		case errors.Is(e.Err, openapi3filter.ErrInvalidRequired):
			*fields = append(*fields, fieldError{param, "is missing"})
		case errors.Is(e.Err, openapi3filter.ErrInvalidEmptyValue):
			*fields = append(*fields, fieldError{param, "is empty"})
		case param != "":
			*fields = append(*fields, fieldError{param, "isn't a valid value"})
		}
	case *openapi3.SchemaError:
		field, message := strings.Join(e.JSONPointer(), "/"), schemaMessage(e)
		var unknown string
		if _, err := fmt.Sscanf(e.Reason, "property %q is unsupported", &unknown); err == nil {
			field, message = strings.TrimPrefix(field+"/"+unknown, "/"), "isn't a field of this request"
		}
		if field == "" {
			field = param
		}
		if field == "" {
			field = "body"
		}
		*fields = append(*fields, fieldError{short(field), message})
	}
}

// schemaMessage says in a person's words what the validator says in those of the contract.
func schemaMessage(e *openapi3.SchemaError) string {
	switch {
	case strings.HasSuffix(e.Reason, " is missing"):
		return "is missing"
	case e.SchemaField == "enum":
		var known []string
		for _, value := range e.Schema.Enum {
			known = append(known, fmt.Sprint(value))
		}
		return "must be one of " + strings.Join(known, ", ")
	case e.SchemaField == "format":
		return "isn't a time as 2026-11-30T12:00:00Z"
	case e.SchemaField == "pattern" && e.Schema.Description != "":
		return "must be: " + e.Schema.Description
	case e.SchemaField == "pattern":
		return "isn't a valid value"
	}
	return e.Reason
}

// requestError answers what the generated code couldn't bind; the contract has let it through, so it is a
// value of the right shape that isn't one, such as the 30th of February.
func (s *server) requestError(c *gin.Context, err error) {
	field := "body"
	var unmarshal *json.UnmarshalTypeError
	var parse *time.ParseError
	switch {
	case errors.As(err, &unmarshal) && unmarshal.Field != "":
		field = unmarshal.Field
	case errors.As(err, &parse):
		s.writeProblem(c, wrongField(field, fmt.Sprintf("%s isn't a time as 2026-11-30T12:00:00Z", short(parse.Value))))
		return
	}
	s.writeProblem(c, wrongField(field, "isn't a valid value"))
}

// cache gives a public answer its ETag and Cache-Control and answers 304 where the client has it already.
func (s *server) cache(c *gin.Context) {
	call := callOf(c)
	if call.route.cache == "" || call.route.cache == neverStored || call.route.cache == streamed {
		return
	}
	w := c.Writer
	held := &heldWriter{ResponseWriter: w, status: http.StatusOK}
	c.Writer = held
	func() {
		defer func() { c.Writer = w }() // after a panic, too
		c.Next()
	}()
	h := w.Header()
	if held.status != http.StatusOK {
		w.WriteHeader(held.status)
		_, _ = w.Write(held.body.Bytes())
		return
	}
	etag := etagOf(held.body.Bytes())
	control := call.cache
	if call.route.who == anyoneKnown {
		h.Add("Vary", "Authorization")
		if call.identity.PlayerID != "" {
			control = strings.Replace(control, "public", "private", 1)
		}
	}
	h.Set("ETag", etag)
	h.Set("Cache-Control", control)
	if h.Get("Content-Type") == "text/plain" {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if matches(c.GetHeader("If-None-Match"), etag) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		w.WriteHeaderNow()
		return
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(held.body.Bytes())
}

// heldWriter keeps an answer back until its ETag is known. Answers are small: at most 200 rows.
type heldWriter struct {
	gin.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *heldWriter) Write(p []byte) (int, error)       { return w.body.Write(p) }
func (w *heldWriter) WriteString(s string) (int, error) { return w.body.WriteString(s) }
func (w *heldWriter) WriteHeader(status int)            { w.status = status }
func (w *heldWriter) WriteHeaderNow()                   {}
func (w *heldWriter) Status() int                       { return w.status }
func (w *heldWriter) Written() bool                     { return false }

// serverTime is the field of an answer that is another each time.
var serverTime = regexp.MustCompile(`"server_time":"[^"]*"`)

// etagOf is weak where the answer has the time in it, which alone makes it no other.
func etagOf(body []byte) string {
	lasting := serverTime.ReplaceAll(body, nil)
	sum := sha256.Sum256(lasting)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`
	if len(lasting) < len(body) {
		return "W/" + etag
	}
	return etag
}

// matches is RFC 9110's weak comparison for If-None-Match.
func matches(header, etag string) bool {
	etag = strings.TrimPrefix(etag, "W/")
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

// freshFor lets an answer that changes at a known moment be kept for at most ten seconds, and never beyond
// that moment.
func freshFor(now, change time.Time) string {
	seconds := int(min(10*time.Second, change.Sub(now)) / time.Second)
	if seconds <= 0 {
		return revalidated
	}
	return fmt.Sprintf("public, max-age=%d", seconds)
}

// sealCursor makes a cursor of a place in a list: opaque, bound to the list, and refused when it was changed.
func (s *server) sealCursor(list string, place any) *string {
	text := must(json.Marshal(place)) // plain strings and numbers
	cursor := base64.RawURLEncoding.EncodeToString(append(s.cursorMAC(list, text), text...))
	return &cursor
}

// openCursor reads a cursor of this list into place.
func (s *server) openCursor(list, cursor string, place any) error {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil && len(text) > macSize && hmac.Equal(text[:macSize], s.cursorMAC(list, text[macSize:])) {
		if json.Unmarshal(text[macSize:], place) == nil {
			return nil
		}
	}
	return wrongField("cursor", "isn't a cursor of this list")
}

const macSize = 12

func (s *server) cursorMAC(list string, text []byte) []byte {
	mac := hmac.New(sha256.New, s.cursorKey)
	fmt.Fprintf(mac, "%s\n%s", list, text)
	return mac.Sum(nil)[:macSize]
}
