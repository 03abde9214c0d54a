/** Waits for a flush and for the record of the change that it belongs to. */

/** Waits until both have ended. If one failed, it throws that error; if both failed, the first one. */
export async function bothSettled<T, U>(
  first: Promise<T> | undefined,
  second: Promise<U>,
): Promise<[T | undefined, U]> {
  const results = await Promise.allSettled([first, second])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return Promise.all([first, second])
}
