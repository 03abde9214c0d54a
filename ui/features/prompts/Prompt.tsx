import { type ComponentType, Suspense } from 'react'
import { answer, type OpenQuestion, type PromptName } from '#ui/state/dialogs/prompts.ts'
import type { CardProps } from './parts/card.ts'
import { CARDS } from './registry.ts'

/** Renders the card of one question. */
export function Prompt({ prompt: { id, question } }: { prompt: OpenQuestion }) {
  // The registry maps every question to the card of the same name; the index type does not express that.
  const Card = CARDS[question.name] as ComponentType<CardProps<PromptName>>
  return (
    <Suspense>
      <Card
        question={question}
        onAnswer={(value) => answer(id, value)}
        onCancel={() => answer(id, undefined)}
      />
    </Suspense>
  )
}
