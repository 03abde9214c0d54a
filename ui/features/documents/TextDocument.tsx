import type { ReactNode } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { DocumentPage } from './DocumentPage.tsx'
import { hintOf } from './hint.ts'
import type { SafePage } from './safe-page.ts'

interface TextDocumentProps {
  name: string
  /** Reads the content of the file. */
  read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Renders the viewer around the content. */
  renderFrame(content: ReactNode): ReactNode
  /** Renders the message that the document is not shown, with the reason. */
  renderFailure(hint: string): ReactNode
}

/** A text document (DOCX, ODT or RTF), rendered as it is printed. */
export function TextDocument({ name, read, renderFrame, renderFailure }: TextDocumentProps) {
  const { t } = useTranslation()
  const result = useAsync(name, async (signal) => render(name, await read(signal)))
  if (result.status === 'loading') return renderFrame(<Loading />)
  if (result.status === 'failed') return renderFailure(hintOf(result.error, t))
  return renderFrame(<DocumentPage name={name} content={result.value} />)
}

/** Renders the document. The code for a format is loaded with the first document of that format. */
async function render(name: string, bytes: Uint8Array): Promise<SafePage> {
  if (/\.odt$/i.test(name)) return (await import('./odt.ts')).renderOdt(bytes)
  if (/\.rtf$/i.test(name)) return (await import('./rtf.ts')).renderRtf(bytes)
  return (await import('./docx.ts')).renderDocx(bytes)
}
