import { useEffect, useState } from 'react'
import type { SoundTags } from '#ui/lib/sound-tag-types.ts'
import { soundTagsOf } from '#ui/state/sound-tags.ts'
import type { TreePath } from '#wire/paths.ts'

const NO_TAGS: SoundTags = {}

/** The tags of an audio file; empty until they are read. */
export function useSoundTags(path: TreePath): SoundTags {
  const [known, setKnown] = useState<{ path: TreePath; tags: SoundTags }>()
  useEffect(() => {
    const reading = new AbortController()
    void soundTagsOf(path, reading.signal).then((tags) => {
      if (!reading.signal.aborted) setKnown({ path, tags })
    })
    return () => reading.abort()
  }, [path])
  return known?.path === path ? known.tags : NO_TAGS
}
