// Many more orders.
import './orders.test';
