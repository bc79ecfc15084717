// Every order of the events.
import './orders.test';
