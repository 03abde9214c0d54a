import { useEffect, useState } from 'react'

interface Bytes {
  /** The media type. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

type Content = Bytes | Blob

/** A URL of bytes in memory or of a file on this device, such as a picture; undefined until it exists. */
export function useObjectUrl(content: Content | undefined): string | undefined {
  const [shown, setShown] = useState<{ content: Content; url: string }>()
  useEffect(() => {
    if (!content) return
    const blob = content instanceof Blob ? content : new Blob([content.bytes], content)
    const url = URL.createObjectURL(blob)
    setShown({ content, url })
    return () => {
      // The same content may come back later.
      setShown(undefined)
      URL.revokeObjectURL(url)
    }
  }, [content])
  return content && shown?.content === content ? shown.url : undefined
}
