import './Name.css'

/**
 * A file's name: it keeps its own direction and loses its end, never its beginning. The box hugs
 * it, so that it still lines up with the page.
 */
export function Name({ children }: { children: string }) {
  return (
    <span className="Name" dir="auto" title={children}>
      {children}
    </span>
  )
}
