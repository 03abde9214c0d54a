import { useCallback, useReducer, useState } from 'react'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import type { TreePath } from '#wire/paths.ts'

/** The chosen folder of a picker, and whether a rule forbids to put something into it. */
export function useDestination(start: TreePath) {
  const [destination, setDestination] = useState(start)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const onLoaded = useCallback(() => renderAgain(), [])
  return {
    destination,
    isDenied: isListOnly(destination),
    picker: { onChange: setDestination, onLoaded },
  }
}
