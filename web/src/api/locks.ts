/**
 * Does something under a lock over all tabs, or at once with `got` false where the lock is taken and `options`
 * say not to wait. Where there are no locks, each tab has its own: the page isn't from a safe address, or the
 * browser keeps nothing for it.
 */
export async function locked<T>(
  name: string,
  work: (got: boolean) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  let began = false
  const begin = (lock: Lock | null) => {
    began = true
    return work(lock !== null)
  }
  if (navigator.locks) {
    try {
      return await navigator.locks.request(name, options, begin)
    } catch (error) {
      if (began) throw error // else it was the locks that were refused
    }
  }
  return work(true)
}
