import { messages } from './index.svelte'

const en = [
  'Ace',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'Jack',
  'Queen',
  'King',
]
const de = ['Ass', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'Bube', 'Dame', 'König']
const suitsEn = ['clubs', 'diamonds', 'hearts', 'spades']
const suitsDe = ['Kreuz', 'Karo', 'Herz', 'Pik']
const indexEn = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']
const symbols = ['♣', '♦', '♥', '♠']

/** Names of suits (0 to 3: clubs, diamonds, hearts, spades) and of cards (ranks 1 to 13). */
export const cards = messages(
  {
    suit: (suit: number) => suitsEn[suit] ?? '',
    /** "three of hearts" */
    name: (rank: number, suit: number) => `${en[rank - 1]} of ${suitsEn[suit]}`,
    /** "3♥", for the eye */
    short: (rank: number, suit: number) => `${indexEn[rank - 1]}${symbols[suit]}`,
  },
  {
    suit: (suit: number) => suitsDe[suit] ?? '',
    name: (rank: number, suit: number) => `${suitsDe[suit]} ${de[rank - 1]}`,
    short: (rank: number, suit: number) => `${indexEn[rank - 1]}${symbols[suit]}`,
  },
)
