import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { nameOf } from '#wire/paths.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import { VersionDiff } from '../parts/VersionDiff.tsx'

/** Compares an earlier version of a text with the current content. */
export function CompareVersionCard({ question, onAnswer, onCancel }: CardProps<'compareVersion'>) {
  const { t } = useTranslation()
  const { file, when, earlier, current, mayRestore } = question
  return (
    <Dialog
      title={t('prompts.compareVersion.title', { name: shownName(nameOf(file)).text })}
      size="xl"
      onClose={onCancel}
      actions={
        <>
          <Button ref={autofocus} onClick={onCancel}>
            {t('common.close')}
          </Button>
          {mayRestore && (
            <Button tone="accent" onClick={() => onAnswer('restore')}>
              {t('prompts.compareVersion.restore')}
            </Button>
          )}
        </>
      }
    >
      <VersionDiff
        label={t('prompts.saveConflict.versions')}
        left={{ title: when, text: earlier }}
        right={{ title: t('prompts.compareVersion.current'), text: current }}
      />
    </Dialog>
  )
}
