/**
 * Runs `run` for each item, at most `limit` at a time.
 *
 * @returns the results in the order of the items
 */
export async function mapLimited<In, Out>(
  items: readonly In[],
  limit: number,
  run: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  const queue = items.entries()
  const work = async () => {
    // The iterator is shared: each worker takes the next item.
    for (const [index, item] of queue) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
