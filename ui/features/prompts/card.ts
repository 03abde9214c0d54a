import type { AnswerOf, QuestionName, QuestionOf } from '#ui/state/prompts.ts'

/** What every card is given: its question, and the two ways to leave. */
export interface CardProps<Name extends QuestionName> {
  question: QuestionOf<Name>
  onAnswer(answer: AnswerOf<Name>): void
  onCancel(): void
}
