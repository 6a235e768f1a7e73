/** Aborted as soon as one of the two is: AbortSignal.any, which Safari has only since 17.4. */
export function eitherOf(a: AbortSignal, b: AbortSignal): AbortSignal {
  const either = new AbortController()
  for (const signal of [a, b]) {
    if (signal.aborted) either.abort(signal.reason)
    else signal.addEventListener('abort', () => either.abort(signal.reason), { signal: either.signal })
  }
  return either.signal
}
