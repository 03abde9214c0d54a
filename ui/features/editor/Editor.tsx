import type { EditorView } from '@codemirror/view'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { mayWrite } from '#ui/actions/open.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { EncodingSelect } from '#ui/components/fields/EncodingSelect.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { printedText } from '#ui/components/print/printed.ts'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isMarkdown } from '#ui/lib/entries/viewers.ts'
import { NARROW, TOUCH } from '#ui/lib/page/media.ts'
import { indentOf } from '#ui/lib/text/indent.ts'
import { lineBreakOf } from '#ui/lib/text/text-bytes.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import {
  chooseEncoding,
  closeText,
  convertText,
  openText,
  refreshText,
} from '#ui/state/file/edited-text.ts'
import { saveText, text } from '#ui/state/file/text.ts'
import { recordOpening } from '#ui/state/file/viewer.ts'
import { session } from '#ui/state/session/session.ts'
import { readerPreferences } from '#ui/state/view/reader-preferences.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { EditorFind } from './EditorFind.tsx'
import { EditorStatus } from './EditorStatus.tsx'
import { EditorTools } from './EditorTools.tsx'
import { languageOf } from './language-of.ts'
import { Markdown } from './markdown/Markdown.tsx'
import { toggleTask } from './markdown/tasks.ts'
import { paletteStyle } from './palette.ts'
import { useCodeMirror } from './use-code-mirror.ts'
import './Editor.css'

/** A text file in the editor, or in the read-only view if the user may not change it. */
export function Editor({ file }: { file: FileEntry }) {
  const { start, error, path } = useSnapshot(text)

  // Before the effect below: a text that is still loading when the page is left must not be shown later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each path is another text
  useEffect(() => closeText, [file.path])

  useEffect(() => {
    if (text.path === file.path) refreshText(file)
    else void openRecorded(file)
  }, [file])

  if (error) return <ReadError fault={error} onRetry={() => void openRecorded(file)} />
  if (!start || path !== file.path) return null
  return <OpenText file={file} start={start} />
}

/**
 * Opens a text. If the response with the properties of the file contained the text, no request for its bytes follows,
 * so the opening is recorded by a request of its own.
 */
async function openRecorded(file: FileEntry): Promise<void> {
  const path = parsePath(file.path)
  if (!(await openText(file, path))) recordOpening(path)
}

function ReadError({ fault, onRetry }: { fault: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Empty
      picture={<Icon name="triangle-alert" />}
      title={t('editor.unreadable')}
      hint={faultText(fault)}
      actions={<Button onClick={onRetry}>{t('common.tryAgain')}</Button>}
    />
  )
}

/** Ticks a check box of the text. It is saved at once, unless there are other changes that are not saved. */
function toggleBox(view: EditorView, index: number, count: number): void {
  const wasDirty = text.isDirty
  // The line breaks of the document are single characters, as in the editor.
  const changes = toggleTask(view.state.doc.toString(), index, count)
  if (!changes) return
  view.dispatch({ changes })
  if (!wasDirty) void saveText()
}

interface OpenTextProps {
  file: FileEntry
  start: { text: string; saved: string }
}

function OpenText({ file, start }: OpenTextProps) {
  const { t } = useTranslation()
  const host = useRef<HTMLDivElement>(null)
  const { isLossy, encoding, isGuess, damaged, fault, isDirty } = useSnapshot(text)
  const { wrap, textPx } = useSnapshot(readerPreferences)
  const { user } = useSnapshot(session)
  const context = useActionContext()
  const isReadOnly = isLossy || !mayWrite(context)
  const { name } = file
  const { view, position, isFinding, indent } = useCodeMirror(host, {
    name,
    start,
    readOnly: isReadOnly,
    wrap,
  })
  const isRendered = context.isRendered && isMarkdown(file)
  // The editor draws only the visible lines. A rendered text prints itself.
  usePrintSheet(() => (view && !isRendered ? printedText(view.state.sliceDoc()) : undefined))
  const hasToolbar = useMedia(`${TOUCH}, ${NARROW}`)

  // React's type of styles does not include custom properties.
  const size = { '--editor-text': `${textPx}px` } as CSSProperties

  return (
    <div className="Editor" style={size}>
      {isLossy && mayWrite(context) && (
        <div className="Editor__notice">
          <Notice>
            {t(isGuess ? 'editor.probably' : 'editor.foreign', {
              encoding: encoding.toUpperCase(),
            })}
            {damaged > 0 && ` ${t('editor.damaged', { value: formatNumber(damaged) })}`}
          </Notice>
          <div className="Editor__choice">
            <EncodingSelect value={encoding} onChange={chooseEncoding} />
            <Button onClick={convertText}>{t('editor.convert')}</Button>
          </div>
        </div>
      )}
      {hasToolbar && <EditorTools view={isRendered ? undefined : view} readOnly={isReadOnly} />}
      <div className="Editor__body">
        <div
          ref={host}
          className="Editor__code"
          style={paletteStyle(user?.aceEditorTheme ?? '')}
          hidden={isRendered}
        />
        {view && isFinding && !isRendered && (
          <EditorFind view={view} readOnly={isReadOnly} position={position} />
        )}
        {isRendered && view && (
          <Markdown
            source={view.state.sliceDoc()}
            path={parsePath(file.path)}
            label={name}
            onTask={isReadOnly ? undefined : (...box) => toggleBox(view, ...box)}
          />
        )}
      </div>
      {fault && isDirty && (
        <div className="Editor__notice">
          <Notice tone="danger">{t('editor.notSaved', { why: faultText(fault) })}</Notice>
          <Button onClick={() => void saveText()}>{t('common.tryAgain')}</Button>
        </div>
      )}
      <EditorStatus
        language={languageOf(name)?.name}
        encoding={encoding}
        lineBreak={lineBreakOf(view?.state.lineBreak ?? start.text)}
        indent={{ unit: indentOf(start.text), width: indent }}
        readOnly={isReadOnly}
        hasSizes={!hasToolbar}
        position={isRendered ? undefined : position}
        sizeBytes={file.size}
      />
    </div>
  )
}
