import { Field, ObjectType } from 'type-graphql';
import { ComposedField, ReferenceField } from '../graphql/entity-field-decorators.js';
import { registerEnum } from '../graphql/enum.js';
import { ComputedField } from '../records/computed-field.js';
import { Person } from './person.entity.js';

const kinds = {
  person: 'A person who has signed in.',
  token: 'A token.',
  automation: 'The service itself, on schedule.',
  command: 'The command line.',
};
export const actorKinds = Object.keys(kinds);
export const ActorKinds = registerEnum('ActorKind', kinds, 'The kinds of actors.');

@ObjectType({ description: 'Who or what made a change.' })
export class Actor {
  @Field(() => ActorKinds, { description: 'The kind of actor.' })
  kind!: string;

  @Field(() => String, {
    description: 'The e-mail address of the person, label and id of the token, or the name of the part of the service.',
  })
  label!: string;

  personId!: number | null;

  @ReferenceField(() => Person, 'personId', {
    description:
      'The person. Null: a token or the service, a person who was deleted, or one whom you do not administer.',
    nullable: true,
  })
  person?: Person | null;
}

type Expression<Owner extends object> = Parameters<typeof ComputedField<Owner>>[0];
type ActorSql = Record<'kind' | 'label', string>;

/** Declares the actor of a record, of the SQL of its kind and its label. A label that is null is no actor. */
export const ActorField =
  <Owner extends object>(
    compile: (...row: Parameters<Expression<Owner>>) => ActorSql,
    { description, nullable = false }: { description: string; nullable?: boolean },
  ) =>
  (target: object, name: string): void => {
    const [kind, label, personId] = ['Kind', 'Label', 'PersonId'].map(part => `${name}${part}`) as [
      string,
      string,
      string,
    ];
    ComputedField<Owner>((...row) => compile(...row).kind, 'text')(target, kind);
    ComputedField<Owner>((...row) => compile(...row).label, 'text')(target, label);
    ComputedField<Owner>((...row) => findPersonSql(compile(...row)), 'integer')(target, personId);
    ComposedField(() => Actor, [kind, label, personId], toActor, { description, nullable })(target, name);
  };

/** By which a filter selects the actor of a field. */
export const actorAttributes = (field: string) => ({
  [`${field}Kind`]: { type: ActorKinds, description: `Filters by the \`kind\` of \`${field}\`.` },
  [`${field}Label`]: { type: String, description: `Filters by the \`label\` of \`${field}\`.` },
});

const findPersonSql = ({ kind, label }: ActorSql) =>
  `case when ${kind} = 'person' then (select p.id from person p where lower(p.email) = lower(${label})) end`;

const toActor = (kind: string, label: string | null, personId: number | null): Actor | null =>
  label === null ? null : { kind, label, personId };
