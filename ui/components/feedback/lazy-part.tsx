import { type ComponentType, createContext, lazy, useContext, useEffect, useReducer } from 'react'
import { MissingPart, type MissingPartProps } from './MissingPart.tsx'

/** The function that imports the code of the failed part again. */
const Retry = createContext<() => void>(() => undefined)

/**
 * A component whose code is loaded when it first renders. The caller renders it inside `Suspense`.
 *
 * @param load imports the code; called again if the user retries after a failure
 * @param Missing shown while the code cannot be loaded
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<MissingPartProps> = MissingPart,
): ComponentType<Props> {
  let Part = createPart()

  /** React caches a failed import: each attempt needs a new lazy component. */
  function createPart() {
    const part = lazy(
      async (): Promise<{ default: ComponentType<Props> }> => ({
        default: await load().catch(() => Failed),
      }),
    )
    function Failed() {
      // When the failure is no longer shown, the next render imports the code again.
      useEffect(
        () => () => {
          if (Part === part) Part = createPart()
        },
        [],
      )
      return <Missing onRetry={useContext(Retry)} />
    }
    return part
  }

  return function LazyPart(props: Props) {
    const [, rerender] = useReducer((count: number) => count + 1, 0)
    const retry = () => {
      Part = createPart()
      rerender()
    }
    return (
      <Retry value={retry}>
        <Part {...props} />
      </Retry>
    )
  }
}
