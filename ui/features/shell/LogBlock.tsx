import { type CSSProperties, memo } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { TextStyle } from '#ui/lib/text/ansi.ts'
import type { LogBlock as Block, LogLine, Run } from '#ui/lib/text/shell-log.ts'
import './LogBlock.css'

/** Some lines of the log. It renders only if they change. */
export const LogBlock = memo(function LogBlock({ block }: { block: Block }) {
  return (
    <div className="LogBlock">
      {block.lines.map((line, index) => (
        <Line key={line.id} line={line} isFirst={block.lines[index - 1]?.kind !== line.kind} />
      ))}
    </div>
  )
})

/** @param isFirst of its kind in a row: assistive technology announces once that errors follow */
function Line({ line: { kind, folder, runs }, isFirst }: { line: LogLine; isFirst: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="LogBlock__line" data-kind={kind}>
      {kind === 'command' && (
        <>
          <bdi className="LogBlock__folder">{folder}</bdi>
          <span className="LogBlock__sign"> $ </span>
        </>
      )}
      {kind === 'stderr' && isFirst && (
        <span className="visually-hidden">{t('shell.errorOutput')} </span>
      )}
      {/* A changed line renders as a whole, so the index of a run is a stable key. */}
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other key
        <Text key={index} {...run} />
      ))}
      {'\n'}
    </div>
  )
}

function Text({ text, style }: Run) {
  const { bold, italic, underline, strike } = style
  const css: CSSProperties = {
    ...colorsOf(style),
    ...(bold && { fontWeight: 'var(--weight-strong)' }),
    ...(italic && { fontStyle: 'italic' }),
    ...((underline || strike) && {
      textDecoration: [underline && 'underline', strike && 'line-through']
        .filter(Boolean)
        .join(' '),
    }),
  }
  return Object.keys(css).length > 0 ? <span style={css}>{text}</span> : text
}

/** Backgrounds are tints of the panel's colour, so that every text colour is readable on every background. */
function colorsOf({ color, fill, dim, inverse }: TextStyle): CSSProperties {
  if (inverse) {
    return {
      color: 'var(--shell-fill)',
      backgroundColor: color === undefined ? 'var(--text)' : ansi(color),
    }
  }
  return {
    ...(color !== undefined && { color: fill === undefined ? ansi(color) : onFill(color) }),
    ...(color === undefined && dim && { color: 'var(--text-3)' }),
    ...(fill !== undefined && {
      backgroundColor: `color-mix(in oklab, ${ansi(fill)} 18%, var(--shell-fill))`,
    }),
  }
}

/** Black is meant for light backgrounds, white for dark ones; on a tint both become the text colour. */
function onFill(color: number): string {
  return color % 8 === 0 || color % 8 === 7 ? 'var(--text)' : ansi(color)
}

function ansi(color: number): string {
  return `var(--ansi-${color})`
}
