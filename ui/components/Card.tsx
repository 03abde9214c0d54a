import type { ComponentProps } from 'react'
import { classNames } from '#ui/lib/class-names.ts'
import './Card.css'

/** A box with a border and a shadow, on the background of the page. */
export function Card({ className, ...native }: ComponentProps<'div'>) {
  return <div {...native} className={classNames('Card', className)} />
}
