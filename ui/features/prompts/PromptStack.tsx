import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { usePathname } from 'wouter/use-browser-location'
import { dismiss, prompts } from '#ui/state/dialogs/prompts.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { Fault } from '#wire/fault.ts'

/** The cards are one chunk. It is loaded after the listing, so that it is there before the first question. */
const loadCards = async () => (await import('./Prompt.tsx')).Prompt
type Card = Awaited<ReturnType<typeof loadCards>>

/** Every open prompt, the topmost last. Navigation cancels them all. */
export function PromptStack() {
  const { stack } = useSnapshot(prompts)
  const pathname = usePathname()
  const Prompt = useCards(stack.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => dismiss, [pathname])
  if (!Prompt) return null
  return stack.map((prompt) => <Prompt key={prompt.id} prompt={prompt} />)
}

/**
 * The component that shows a question; undefined until it is loaded. If it cannot be loaded, a message reports it.
 */
function useCards(isNeeded: boolean): Card | undefined {
  const [cards, setCards] = useState<{ Prompt: Card }>()
  const isAfterListing = useAfterListing()
  const load = useEffectEvent((failed: () => void) => {
    loadCards().then((Prompt) => setCards({ Prompt }), failed)
  })

  // A failed load is repeated with the first question.
  useEffect(() => {
    if (isAfterListing) load(() => undefined)
  }, [isAfterListing])
  useEffect(() => {
    if (isNeeded && !cards) load(reportFailure)
  }, [isNeeded, cards])

  return cards?.Prompt
}

function reportFailure(): void {
  dismiss()
  toastError(new Fault('unavailable', 'The dialog could not be loaded.'))
}
