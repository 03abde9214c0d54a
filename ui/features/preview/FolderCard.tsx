import { Card } from '#ui/components/feedback/Card.tsx'
import { FileInfo } from '#ui/components/file/FileInfo.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { fileInfoOf, hasMoreInfo, moreInfoOf } from '#ui/state/file/file-info.ts'
import type { Entry } from '#wire/api/entry.ts'
import { Preview } from './Preview.tsx'
import './FolderCard.css'

/** A card with the summary of a folder. */
export function FolderCard({ folder }: { folder: Entry }) {
  return (
    <Preview>
      <Card className="FolderCard">
        <FileIcon entry={folder} />
        <FileInfo
          subject={folder.path}
          items={fileInfoOf([folder])}
          more={hasMoreInfo(folder) ? (signal) => moreInfoOf(folder, signal) : undefined}
          algorithms={[]}
          checksum={async () => ''}
          onCopy={async () => false}
        />
      </Card>
    </Preview>
  )
}
