/** What a merchant is told of events of a biller that no sale was found for; `waiting` is how many. */
export function eventsWait(waiting: number, biller = 'Stripe'): { title: string; body: string } {
  const events = waiting === 1 ? '1 event' : `${waiting} events`;
  return {
    title: `Events from ${biller} wait`,
    body: `${events} could not be told to a sale for more than a day: refunds, disputes or promotion codes. Check the ${biller} connection.`,
  };
}
