import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { shares } from '#ui/state/shares.ts'
import type { CardProps } from './card.ts'
import { ShareForm } from './ShareForm.tsx'
import { ShareLinks } from './ShareLinks.tsx'

/** The links to one thing, and a form for one more; without any link, the form at once. */
export function ShareCard({ question: { path, isDir }, onCancel }: CardProps<'share'>) {
  const { links } = useSnapshot(shares)
  const [creating, setCreating] = useState(false)
  const [newest, setNewest] = useState<string>()
  const none = links.length === 0

  if (!creating && !none) {
    return (
      <ShareLinks
        path={path}
        isDir={isDir}
        links={links}
        newest={newest}
        onNew={() => setCreating(true)}
        onClose={onCancel}
      />
    )
  }
  return (
    <ShareForm
      path={path}
      isDir={isDir}
      onCreated={(share) => {
        setNewest(share.hash)
        setCreating(false)
      }}
      onCancel={none ? onCancel : () => setCreating(false)}
    />
  )
}
