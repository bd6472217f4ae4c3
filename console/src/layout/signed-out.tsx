import { useEffect } from 'react';
import { hasStored } from '../api/stored.ts';

/** What somebody writes is stored by these names. */
const writtenNames = ['draft ', 'update ', 'edit ', 'outbox '];

/** Leads to the page of the service with all ways to sign in, and from there back to the screen. */
export function SignedOut() {
  useEffect(() => {
    const { pathname, search } = window.location;
    const unsent = writtenNames.some(hasStored) ? '&unsent' : '';
    window.location.replace(`/sign-in?to=${encodeURIComponent(pathname + search)}${unsent}`);
  }, []);
  return null;
}
