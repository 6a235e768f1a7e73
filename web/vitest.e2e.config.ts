import { defineConfig } from 'vitest/config'

// The pages in a real browser, against the real server with a clock that the test sets: `npm run e2e`, after
// `npm run build` and `go build -o bin/testserver ./cmd/testserver` (`make web-test` does it all).
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'speed' ? ['e2e/speed.ts'] : ['e2e/**/*.e2e.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    retry: mode === 'speed' ? 0 : 1, // a browser on a busy machine can be late once; what fails twice is a fault
  },
}))
