/** Long work in short turns, so that the page answers in between. */

/** A turn is shorter than what a person notices, and than what counts as blocking (50 ms). */
const SLICE_MS = 12

/** As `map`, but other work may happen between two items. */
export async function mapYielding<In, Out>(
  items: readonly In[],
  make: (item: In) => Out,
): Promise<Out[]> {
  const made: Out[] = []
  let turnEnds = performance.now() + SLICE_MS
  for (const item of items) {
    made.push(make(item))
    if (performance.now() < turnEnds) continue
    await new Promise((resolve) => setTimeout(resolve))
    turnEnds = performance.now() + SLICE_MS
  }
  return made
}
