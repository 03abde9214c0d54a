import { actionOf, perform } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CursorPosition } from './use-code-mirror.ts'
import './EditorStatus.css'

interface EditorStatusProps {
  /** The name of the programming language; undefined for plain text. */
  language: string | undefined
  /** A label of the Encoding standard. */
  encoding: string
  lineBreak: '\n' | '\r\n' | '\r'
  /** The indentation; `width` is in columns. */
  indent: { unit: string; width: number }
  readOnly: boolean
  /** Whether the buttons for the size of the text are here. */
  hasSizes: boolean
  /** Undefined while the text is rendered: then it has neither a cursor nor a font size. */
  position: CursorPosition | undefined
  sizeBytes: number
}

const LINE_BREAKS = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const

/** The status line below a text: its format, and the cursor position. */
export function EditorStatus(props: EditorStatusProps) {
  const { language, encoding, lineBreak, indent, readOnly, hasSizes, position, sizeBytes } = props
  const { t } = useTranslation()
  const facts = [
    encoding.toUpperCase(),
    LINE_BREAKS[lineBreak],
    indent.unit === '\t' ? t('editor.tabs') : t('editor.spaces', { count: indent.width }),
    readOnly && t('editor.readOnly'),
  ].filter((fact) => fact !== false)
  const [smaller, larger] = [actionOf('smallerText'), actionOf('largerText')]
  return (
    <footer className="EditorStatus">
      <span className="EditorStatus__facts truncate">
        {language ?? t('editor.plainText')}
        <span className="EditorStatus__more">{facts.map((fact) => ` · ${fact}`)}</span>
      </span>
      {position && (
        <span className="truncate">
          {t('editor.place', {
            line: formatNumber(position.line),
            column: formatNumber(position.column),
          })}
          {position.selected > 0 &&
            ` · ${t('editor.selected', { count: position.selected, value: formatNumber(position.selected) })}`}
          {' · '}
          {t('editor.lines', { count: position.lines, value: formatNumber(position.lines) })}
          {', '}
          <bdi>{formatSize(sizeBytes)}</bdi>
        </span>
      )}
      {position && hasSizes && (
        <span className="EditorStatus__sizes">
          <IconButton
            icon="minus"
            size="s"
            label={t(smaller.label)}
            onClick={() => perform(smaller)}
          />
          <IconButton
            icon="plus"
            size="s"
            label={t(larger.label)}
            onClick={() => perform(larger)}
          />
        </span>
      )}
    </footer>
  )
}
