import { BuyButton } from './buy-button';

export default function Page() {
  return (
    <main>
      <h1>Coffee every month, $29</h1>
      <BuyButton />
    </main>
  );
}
