/** Splits long work into short slices, so that the page can handle events in between. */
import { UI_LIMITS } from './limits.ts'

/** Like `map`, but other tasks may run between two items. */
export async function mapYielding<In, Out>(
  items: readonly In[],
  convert: (item: In) => Out,
): Promise<Out[]> {
  const results: Out[] = []
  let sliceEndsAt = performance.now() + UI_LIMITS.sliceMs
  for (const item of items) {
    results.push(convert(item))
    if (performance.now() < sliceEndsAt) continue
    await nextTask()
    sliceEndsAt = performance.now() + UI_LIMITS.sliceMs
  }
  return results
}

/** Resolves in a later task of the event loop: the page handles its events first. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
