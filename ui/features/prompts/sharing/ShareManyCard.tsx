import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { formatNames } from '#ui/i18n/format-names.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { createShares, type ShareFailure } from '#ui/state/sharing/several-shares.ts'
import { shares } from '#ui/state/sharing/shares.ts'
import type { NewShare } from '#wire/api/share.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import { ShareForm } from './ShareForm.tsx'
import { ShareLinks } from './ShareLinks.tsx'
import './ShareManyCard.css'

/** Creates one share for each entry with the same options, and then lists the new shares. */
export function ShareManyCard({ question: { entries }, onCancel }: CardProps<'shareMany'>) {
  const { t } = useTranslation()
  const { items } = useSnapshot(shares)
  const [created, setCreated] = useState<{ password: string; failures: ShareFailure[] }>()
  const [problem, setProblem] = useState<string>()

  async function create(options: NewShare): Promise<void> {
    const failures = await createShares(entries, options)
    const [first] = failures
    if (first && failures.length === entries.length) throw first.error
    setCreated({ password: options.password ?? '', failures })
    await copy(linksOf(shares.items), {
      success: t('share.manyCreatedCopied'),
      // If the browser refuses access to the clipboard, the focused copy button is still there.
      onError: () => toastSuccess(t('share.manyCreated')),
    })
  }

  function copyText(text: string, success: string): void {
    setProblem(undefined)
    void copy(text, { success, onError: setProblem })
  }

  if (!created) {
    return (
      <ShareForm
        title={t('share.manyTitle', {
          count: entries.length,
          value: formatNumber(entries.length),
        })}
        hint={t('share.hint.many')}
        action={t('share.createMany')}
        onCreate={create}
        onCancel={onCancel}
      />
    )
  }
  const { password, failures } = created
  return (
    <ShareLinks
      title={t('share.links')}
      hint={t('share.hint.many')}
      shares={items}
      showsNames
      action={
        <Button
          icon="copy"
          data-push
          ref={autofocus}
          disabled={items.length === 0}
          onClick={() => copyText(linksOf(items), t('share.allCopied'))}
        >
          {t('share.copyAll')}
        </Button>
      }
      onClose={onCancel}
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      {[...Map.groupBy(failures, ({ error }) => faultText(error))].map(([why, group]) => (
        <Notice key={why} tone="danger">
          {t('share.notCreated', { names: formatNames(group.map(({ entry }) => entry.name)), why })}
        </Notice>
      ))}
      {password && (
        <div className="ShareManyCard__password">
          <p>
            {t('share.theirPassword')} <code dir="ltr">{password}</code>
          </p>
          <IconButton
            icon="copy"
            size="s"
            label={t('share.copyPassword')}
            onClick={() => copyText(password, t('share.passwordCopied'))}
          />
        </div>
      )}
    </ShareLinks>
  )
}

/** One line for each link. */
function linksOf(items: readonly { hash: string }[]): string {
  return items.map(({ hash }) => absoluteUrl(withBase(sharePageUrl(hash)))).join('\n')
}
