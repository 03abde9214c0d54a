import type { ReactNode } from 'react'
import { filesUrl, withBase } from '#ui/lib/page/location.ts'
import type { Entry } from '#wire/api/entry.ts'
import './EntryLink.css'

interface EntryLinkProps {
  entry: Entry
  children: ReactNode
}

/**
 * The name of an entry as a link: the browser shows its address, and opens it in a new tab with the middle button. All
 * other clicks belong to the grid (use-gestures.ts), and so does dragging. It is no tab stop: the grid has the keys.
 */
export function EntryLink({ entry, children }: EntryLinkProps) {
  return (
    <a
      className="EntryLink"
      href={withBase(filesUrl(entry.path, entry.isDir))}
      tabIndex={-1}
      draggable={false}
    >
      {children}
    </a>
  )
}
