import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { FinderField } from '#ui/components/FinderField.tsx'
import { Overlay } from '#ui/components/Overlay.tsx'
import { useListCursor } from '#ui/components/use-list-cursor.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { type Command, commandsFor, findCommands } from './commands.ts'
import { PaletteRow } from './PaletteRow.tsx'
import './Palette.css'

/** Rows that exist at most: who looks for more types another letter. */
const ROWS = 100

/** Everything one can do now, found by typing. */
export function Palette() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [commands] = useState(() => commandsFor(actionContext()))
  const found = useMemo(() => findCommands(commands, text).slice(0, ROWS), [commands, text])
  const { at, goTo, step } = useListCursor(found.length, 0)
  const listId = useId()
  const chosen = found[at]

  useEffect(() => {
    document.getElementById(`${listId}${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, at])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || step(event) || event.key !== 'Enter') return
    event.preventDefault()
    if (chosen) run(chosen)
  }

  return (
    <Overlay label={t('palette.label')} onClose={closeOverlay}>
      <FinderField
        icon="command"
        label={t('palette.field')}
        value={text}
        list={{ id: listId, activeId: chosen && `${listId}${at}`, isOpen: found.length > 0 }}
        onChange={(event) => {
          setText(event.target.value)
          goTo(0)
        }}
        onKeyDown={onKeyDown}
        closeLabel={t('common.close')}
        onClose={closeOverlay}
      />
      <div className="Palette__scroll">
        {found.length > 0 ? (
          <div id={listId} className="Palette__rows" role="listbox" aria-label={t('palette.label')}>
            {found.map((command, row) => (
              <PaletteRow
                key={command.id}
                id={`${listId}${row}`}
                command={command}
                active={row === at}
                onRun={() => run(command)}
              />
            ))}
          </div>
        ) : (
          <p className="Palette__none" role="status">
            {t('palette.none')}
          </p>
        )}
      </div>
    </Overlay>
  )
}

/** The palette is gone first, and the focus back where it was: that is what the command is about. */
function run(command: Command): void {
  closeOverlay()
  setTimeout(command.run)
}
