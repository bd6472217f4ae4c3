import { Entity, Index, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../components/component.entity.js';
import { Subscriber } from './subscriber.entity.js';

/** That a subscriber chose a component. A class of its own for the index: who hears of a component is asked too. */
@Entity({ tableName: 'subscriber_component' })
export class SubscriberComponent {
  @ManyToOne(() => Subscriber, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  subscriber!: Subscriber;

  @Index()
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
