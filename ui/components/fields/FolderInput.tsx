import type { ComponentProps } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Input } from './Input.tsx'

interface FolderInputProps extends Omit<ComponentProps<typeof Input>, 'onChange' | 'value'> {
  value: string
  onChange(path: string): void
  /** Lets the user choose a folder, starting at a path; undefined if nothing was chosen. */
  choose(path: string): Promise<string | undefined>
}

/** A field for the path of a folder, with a button that opens the picker of folders. */
export function FolderInput({ value, onChange, choose, ...native }: FolderInputProps) {
  const { t } = useTranslation()
  async function pick(): Promise<void> {
    const chosen = await choose(value)
    if (chosen !== undefined) onChange(chosen)
  }
  return (
    <Input
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...native}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      after={
        <IconButton
          icon="folder-search"
          size="s"
          label={t('prompts.folders.choose')}
          disabled={native.disabled}
          onClick={() => void pick()}
        />
      }
    />
  )
}
