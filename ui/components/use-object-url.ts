import { useEffect, useState } from 'react'

interface Content {
  /** The media type. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A URL of bytes in memory, such as a picture; undefined without any. */
export function useObjectUrl(content: Content | undefined): string | undefined {
  const [shown, setShown] = useState<{ content: Content; url: string }>()
  useEffect(() => {
    if (!content) return
    const url = URL.createObjectURL(new Blob([content.bytes], { type: content.type }))
    setShown({ content, url })
    return () => URL.revokeObjectURL(url)
  }, [content])
  return content && shown?.content === content ? shown.url : undefined
}
