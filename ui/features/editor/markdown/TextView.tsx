import { useEffect, useRef } from 'react'
import { printedText } from '#ui/components/print/printed.ts'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
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

/** A text that is already loaded: Markdown is rendered, every other format is shown as text, code in colours. */
export function TextView({ name, path, text, urls }: TextViewProps) {
  if (isMarkdown({ name })) {
    return <Markdown source={text} path={path} label={name} urls={urls} />
  }
  return <PlainText name={name} text={text} />
}

function PlainText({ name, text }: Pick<TextViewProps, 'name' | 'text'>) {
  const shown = useRef<HTMLPreElement>(null)
  usePrintSheet(() => printedText(text))
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const { colouredCode } = await import('./coloured-code.ts')
      const coloured = await colouredCode(name, text)
      if (isCurrent && coloured) shown.current?.replaceChildren(coloured)
    }
    // Without the grammar the text has no colours, which is no error for the reader.
    load().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [name, text])
  return (
    <section
      className="TextView"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <pre key={text} ref={shown} className="TextView__text" dir="auto">
        {text}
      </pre>
    </section>
  )
}
