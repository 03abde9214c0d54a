import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { filesUrl } from '#ui/lib/location.ts'
import { piecesOf } from '#ui/lib/search-query.ts'
import { shownName, shownPath } from '#ui/lib/shown-name.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { baseOf, search } from '#ui/state/search.ts'
import { joinPath } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import './SearchRow.css'

interface SearchRowProps {
  id: string
  hit: SearchHit
  active: boolean
}

/** A link to what was found: where it lies, then its name. The folder gives way, the name stays. */
export function SearchRow({ id, hit: { path, dir }, active }: SearchRowProps) {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return (
    <Link
      id={id}
      className="SearchRow"
      role="option"
      aria-selected={active}
      tabIndex={-1}
      href={filesUrl(joinPath(baseOf(search), path), dir)}
      title={`./${shownPath(path)}`}
      onClick={closeUnlessElsewhere}
    >
      <FileIcon entry={{ name, isDir: dir, type: '' }} />
      <span className="SearchRow__path">
        <span className="SearchRow__folders" dir="ltr">
          ./
          {folders.map((folder, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same folder name may come twice
            <bdi key={at}>{`${shownName(folder).text}/`}</bdi>
          ))}
        </span>
        <b dir="auto">
          {piecesOf(shownName(name).text, search.query).map(({ text, found }, at) => {
            const Piece = found ? 'mark' : 'span'
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one name stay in order
            return <Piece key={at}>{text}</Piece>
          })}
        </b>
      </span>
      {active && <Kbd keys="Enter" />}
    </Link>
  )
}

/** With a key held the link opens in another tab, and this page stays as it is. */
function closeUnlessElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  if (!ctrlKey && !metaKey && !shiftKey && !altKey) closeOverlay()
}
