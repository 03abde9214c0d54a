import { isMarkdown } from '#ui/lib/viewers.ts'
import type { TreePath } from '#wire/paths.ts'
import { Markdown } from './Markdown.tsx'
import type { TreeAddresses } from './markdown.ts'
import './ReadText.css'

interface ReadTextProps {
  name: string
  path: TreePath
  text: string
  /** Resolves relative addresses if the text is not in the user's own scope. */
  addresses?: TreeAddresses | undefined
}

/** A loaded text: Markdown is rendered, everything else is shown as plain text. */
export function ReadText({ name, path, text, addresses }: ReadTextProps) {
  if (isMarkdown({ name })) {
    return <Markdown source={text} path={path} label={name} addresses={addresses} />
  }
  return (
    <section
      className="ReadText"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <pre className="ReadText__text" dir="auto">
        {text}
      </pre>
    </section>
  )
}
