import { useState } from 'react';
import { Button } from './button.tsx';

/** For what cannot be undone: the first press asks, in words, and the second of a double click does not answer. */
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
  const onClick = ({ detail }: { detail: number }) => {
    if (!isAsking) setAsking(true);
    else if (detail < 2) onConfirm();
  };
  return (
    <Button look="danger" onClick={onClick} onBlur={() => setAsking(false)}>
      {isAsking ? (question ? `${question}?` : `${label}: press again`) : label}
    </Button>
  );
}
