import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { openPdf, type PdfProblem, pdfProblemOf } from './open-pdf.ts'
import { PdfPages } from './PdfPages.tsx'
import { PdfPassword } from './PdfPassword.tsx'

type PdfDocument = Awaited<ReturnType<typeof openPdf>['document']>

interface PdfReaderProps {
  name: string
  /** The URL of the file. Another URL opens another document. */
  url: string
  /** Renders the frame around the document. */
  renderFrame(content: ReactNode): ReactNode
  /** Renders the reason why the file is not shown. */
  renderFailure(hint: string): ReactNode
}

type State =
  | { status: 'loading' }
  | { status: 'locked'; answer(password: string): void; isWrong: boolean }
  | { status: 'loaded'; document: PdfDocument }
  | { status: 'failed'; problem: PdfProblem }

/** A PDF: its pages, or the question for its password. */
export function PdfReader({ name, url, renderFrame, renderFailure }: PdfReaderProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<State>({ status: 'loading' })
  const update = useEffectEvent(setState)

  useEffect(() => {
    let isOpen = true
    const show = (next: State) => isOpen && update(next)
    show({ status: 'loading' })
    const opening = openPdf({
      url,
      onPassword: (answer, isWrong) => show({ status: 'locked', answer, isWrong }),
    })
    opening.document.then(
      (document) => show({ status: 'loaded', document }),
      (error: unknown) => show({ status: 'failed', problem: pdfProblemOf(error) }),
    )
    return () => {
      isOpen = false
      opening.close()
    }
  }, [url])

  if (state.status === 'failed') {
    return renderFailure(
      t(state.problem === 'broken' ? 'documents.broken' : `fault.${state.problem}`),
    )
  }
  if (state.status === 'locked') {
    return renderFrame(
      <PdfPassword
        name={name}
        isWrong={state.isWrong}
        onAnswer={(password) => {
          setState({ status: 'loading' })
          state.answer(password)
        }}
      />,
    )
  }
  if (state.status === 'loading') return renderFrame(<Loading />)
  return renderFrame(<PdfPages name={name} document={state.document} />)
}
