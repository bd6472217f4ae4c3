import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { ColourField } from '../appearance/colour-field.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { findZoneName } from './cities.ts';
import { PagePreview } from './page-preview.tsx';
import { TimezoneField, useZones } from './timezone-field.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { submitOnShortcut } from '../ui/form.ts';
import { emptyPlan, writePlan } from './page-plan.ts';
import styles from './first-run.module.css';

/** The darker of the two backgrounds that a new page has. */
const headerBackground = '#f7f8f9';

/** A page with its components and a colour, by one form. */
export default function CreatePage() {
  const { pages } = useSession();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [stored, setPlan] = useStored<typeof emptyPlan>('new page');
  const plan = { ...emptyPlan, ...stored };
  const zones = useZones();
  const write = useMutation({
    mutationFn: () => {
      const timezone = findZoneName(zones, plan.timezone) ?? plan.timezone;
      return writePlan({ ...plan, timezone }, setPlan);
    },
    networkMode: 'always',
  });
  const errors = write.data && 'errors' in write.data ? write.data.errors : {};
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await write.mutateAsync();
    if ('errors' in result) return;
    setPlan(undefined);
    await client.invalidateQueries();
    navigate(`/pages/${result.pageId}/start`);
  };
  const setComponent = (index: number, name: string) =>
    setPlan({ ...plan, components: plan.components.map((each, place) => (place === index ? name : each)) });
  return (
    <>
      <ScreenHeader title={pages.length ? 'Create a page' : 'Create your first page'} />
      <div className={styles.columns}>
        <form
          className={styles.form}
          onSubmit={event => void onSubmit(event).catch(() => {})}
          onKeyDown={submitOnShortcut}
        >
          <TextField
            label="Name"
            hint="Your company or product, as your customers know it. You can change everything on this form later."
            autoFocus
            value={plan.name}
            error={errors.name}
            onChange={event => setPlan({ ...plan, name: event.target.value })}
          />
          <TimezoneField
            value={plan.timezone}
            error={errors.timezone}
            onChange={timezone => setPlan({ ...plan, timezone })}
          />
          <fieldset className={styles.components}>
            <legend>Components</legend>
            <p>
              The parts of your service that can fail separately. Use names that your customers know. Leave a line empty
              to skip it.
            </p>
            {plan.components.map((name, index) => (
              <TextField
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                key={index}
                label={`Component ${index + 1}`}
                value={name}
                error={errors[`component ${index}`]}
                onChange={event => setComponent(index, event.target.value)}
              />
            ))}
            <Button icon="plus" onClick={() => setPlan({ ...plan, components: [...plan.components, ''] })}>
              Add another component
            </Button>
          </fieldset>
          <ColourField
            label="Colour of links and buttons"
            value={plan.colour}
            error={errors.colour}
            against={{ background: headerBackground, minimum: 4.5 }}
            onChange={colour => setPlan({ ...plan, colour })}
          />
          <FormError>{write.error?.message ?? errors['']}</FormError>
          <div className={styles.buttons}>
            <Button type="submit" look="primary" isLarge disabled={!plan.name.trim() || write.isPending}>
              {write.isPending ? 'Creating …' : 'Create the page'}
            </Button>
          </div>
        </form>
        <PagePreview plan={plan} />
      </div>
    </>
  );
}
