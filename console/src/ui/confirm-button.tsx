import { useState } from 'react';
import { Button } from './button.tsx';

/** For what cannot be undone: the first press asks, in the words of what will happen. */
export function ConfirmButton({
  label,
  question,
  onConfirm,
}: {
  label: string;
  /** Absent: the label says it already. */
  question?: string;
  onConfirm: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Button look="danger" onClick={isAsking ? onConfirm : () => setAsking(true)} onBlur={() => setAsking(false)}>
      {isAsking ? (question ? `${question}?` : `${label}: press again`) : label}
    </Button>
  );
}
