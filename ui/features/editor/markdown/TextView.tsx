import { isMarkdown } from '#ui/lib/entries/viewers.ts'
import type { TreePath } from '#wire/paths.ts'
import { Markdown } from './Markdown.tsx'
import type { TreeUrls } from './markdown.ts'
import './TextView.css'

interface TextViewProps {
  name: string
  path: TreePath
  text: string
  /** Resolves relative URLs if the text is not in the user's own scope. */
  urls?: TreeUrls | undefined
}

/** A text that is already loaded: Markdown is rendered, every other format is shown as plain text. */
export function TextView({ name, path, text, urls }: TextViewProps) {
  if (isMarkdown({ name })) {
    return <Markdown source={text} path={path} label={name} urls={urls} />
  }
  return (
    <section
      className="TextView"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <pre className="TextView__text" dir="auto">
        {text}
      </pre>
    </section>
  )
}
