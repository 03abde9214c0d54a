import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { usePathname } from 'wouter/use-browser-location'
import { whenIdle } from '#ui/lib/when-idle.ts'
import { dismiss, prompts } from '#ui/state/prompts.ts'
import { toastError } from '#ui/state/toasts.ts'
import { Fault } from '#wire/fault.ts'

/** The cards are one part of the program. It comes after the first rows, before anybody asks. */
const loadCards = async () => (await import('./Prompt.tsx')).Prompt
type Card = Awaited<ReturnType<typeof loadCards>>

/** Every open prompt, the topmost last. Going somewhere else cancels them all. */
export function PromptStack() {
  const { stack } = useSnapshot(prompts)
  const pathname = usePathname()
  const Prompt = useCards(stack.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the path is what cancels
  useEffect(() => dismiss, [pathname])
  if (!Prompt) return null
  return stack.map((asked) => <Prompt key={asked.id} asked={asked} />)
}

/** What shows a question; undefined until it is there. Without it nothing can be asked: a message says so. */
function useCards(isAsked: boolean): Card | undefined {
  const [cards, setCards] = useState<{ Prompt: Card }>()
  const load = useEffectEvent((failed: () => void) => {
    loadCards().then((Prompt) => setCards({ Prompt }), failed)
  })

  // What does not come now is asked for again with the first question.
  useEffect(() => whenIdle(() => load(() => undefined)), [])
  useEffect(() => {
    if (isAsked && !cards) load(refuse)
  }, [isAsked, cards])

  return cards?.Prompt
}

function refuse(): void {
  dismiss()
  toastError(new Fault('unavailable', 'The cards did not arrive.'))
}
